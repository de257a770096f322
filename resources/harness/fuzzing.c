/* The start of a fuzz target: any input of at most INTERPLAY_BUFFER bytes, in memory that has no more. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void *__interplay_malloc(__SIZE_TYPE__);
extern int LLVMFuzzerTestOneInput(const unsigned char *data, __SIZE_TYPE__ size);

int main(void)
{
    unsigned int size = __VERIFIER_nondet_uint(), i;
    unsigned char *data;
    __VERIFIER_assume(size <= INTERPLAY_BUFFER);
    data = __interplay_malloc(size);
    for (i = 0; i < size; i++)
        data[i] = __VERIFIER_nondet_uchar();
    LLVMFuzzerTestOneInput(data, size);
    return 0;
}
