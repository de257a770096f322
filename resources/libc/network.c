/* Numbers in the order of bytes of networks, the most significant first; ours have it last. */

unsigned htonl(unsigned value)
{
    return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
}

unsigned ntohl(unsigned value)
{
    return htonl(value);
}

unsigned short htons(unsigned short value)
{
    return value << 8 | value >> 8;
}

unsigned short ntohs(unsigned short value)
{
    return htons(value);
}
