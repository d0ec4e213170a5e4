struct plain { char c; int i; short s; };
struct behind { char c; int i; short s; } __attribute__((packed));
struct __attribute__((packed, aligned(2))) before { char c; int i; short s; };
struct one { char c; int i __attribute__((packed)); short s __attribute__((aligned(16))); };
#pragma pack(push, 2)
struct pragma { char c; int i; double d; };
#pragma pack(pop)
union __attribute__((aligned(8))) wide { char c; };
unsigned long sizes(void) {
    struct inside { char c; int i; } __attribute__((packed));
    return sizeof(struct inside) + sizeof(struct behind) + _Alignof(union wide);
}
