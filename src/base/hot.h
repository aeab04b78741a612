// Where code lies in memory.
//
// What each message runs is marked [[gnu::hot]]: compilers and linkers put it on few pages. When a
// message comes after a pause, each page and each line of the cache costs as much as a hundred
// instructions. What only the CLI's questions run, and our answers, lies on pages of its own right
// behind, which a message need not touch.
#pragma once

#ifdef __ELF__
#define CLAUDE_EACH_ASK [[gnu::hot, gnu::section(".text.sorted.claude_asks")]]
#else
#define CLAUDE_EACH_ASK [[gnu::hot]]
#endif
