/*
 * As much of Foundation as the Metal backend calls, declared as Apple's headers declare it: enough
 * for a compiler to check the calls. device.m implements it on other systems.
 *
 * https://developer.apple.com/documentation/foundation
 */
#ifndef VQX_TESTS_METAL_SHIM_FOUNDATION_H
#define VQX_TESTS_METAL_SHIM_FOUNDATION_H

#include <stdint.h>
#include <string.h>

#define __MAC_OS_X_VERSION_MAX_ALLOWED 150000

typedef signed char BOOL;
typedef unsigned long NSUInteger;
typedef long NSInteger;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#ifndef nil
#define nil ((id)0)
#endif

@protocol NSObject
@end
@protocol NSCopying
@end

__attribute__((objc_root_class))
@interface NSObject<NSObject>
+ (instancetype)new;
@end

@interface NSString : NSObject <NSCopying>
+ (instancetype)stringWithUTF8String:(const char *)text;
@property(readonly) const char *UTF8String __attribute__((objc_returns_inner_pointer));
@end

@interface NSNumber : NSObject
+ (NSNumber *)numberWithInt:(int)value;
@property(readonly) int intValue;
@end

@interface NSArray<ObjectType> : NSObject
@property(readonly) NSUInteger count;
- (ObjectType)objectAtIndex:(NSUInteger)index;
@end

@interface NSDictionary<KeyType, ObjectType> : NSObject
- (ObjectType)objectForKey:(KeyType)key;
@end

@interface NSMutableDictionary<KeyType, ObjectType> : NSDictionary <KeyType, ObjectType>
- (void)setObject:(ObjectType)object forKey:(KeyType<NSCopying>)key;
@end

@interface NSError : NSObject
@property(readonly, copy) NSString *localizedDescription;
@end

@interface NSProcessInfo : NSObject
@property(class, readonly, strong) NSProcessInfo *processInfo;
@property(readonly, copy) NSString *operatingSystemVersionString;
@end

#endif
