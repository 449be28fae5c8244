/* Marks loops over many edges that are compiled twice: for every machine of the architecture, and
 * for those with wide vectors; the loader chooses. Results are the same, because no product in them
 * is fused with a sum. */
#ifndef GNNC_KERNELS_WIDE_H
#define GNNC_KERNELS_WIDE_H

/* The loader chooses before sanitizers are initialised. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KERNEL_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define KERNEL_IS_SANITIZED 1
#endif
#endif

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && !defined(KERNEL_IS_SANITIZED)
#define KERNEL_WIDE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define KERNEL_WIDE
#endif

#endif
