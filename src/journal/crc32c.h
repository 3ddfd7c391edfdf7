/* journal/crc32c.h: CRC-32C (Castagnoli), as used by iSCSI and ext4. */
#pragma once
#include "base/str.h"
#include <stdint.h>

uint32_t crc32c(struct str bytes);
