/*
 * The one place where the published sets are typed in.  d, q, kappa and lambda are SC24's
 * (section 2.4; VLDAA-42's are Chen et al. 2021's, timed again in SC24 section 3.2), except kappa
 * of VLDAA-42, which no paper gives: the least weight with 2^128 challenges.
 */
#include "published/published.h"

const vldaa_published_choice vldaa_published_choices[] = {
    {
	.name = "VLDAA-42",
	.symbol = "42",
	.origin = "Chen, Tu, Yu, Zhao, Wang 2021; timed again by Lesaignoux and Carmona 2024",
	.id = 0x00010001,
	.degree = 128,
	.q = 114356107,
	.kappa = 31,
	.challenge_goal = 128,
	.lambda = 42,
	.challenge_bytes = 32,
	.rate = 168,
	.claimed_bits_low = 42,
	.claimed_bits_high = 44,
    },
    {
	.name = "VLDAA-128",
	.symbol = "128",
	.origin = "Lesaignoux and Carmona 2024",
	.id = 0x00010002,
	.degree = 512,
	.q = 7583,
	.kappa = 120,
	.challenge_goal = 512,
	.lambda = 128,
	.challenge_bytes = 32,
	.rate = 168,
	.claimed_bits_low = 138,
	.claimed_bits_high = 138,
	.printed_sigma = "6.0",
	.printed_alpha = "12575.899863196026",
	.printed_gamma = "5702164.533998151",
    },
    {
	.name = "VLDAA-256",
	.symbol = "256",
	.origin = "Lesaignoux and Carmona 2024",
	.id = 0x00010003,
	.degree = 1024,
	.q = 14867,
	.kappa = 300,
	.challenge_goal = 1024,
	.lambda = 256,
	.challenge_bytes = 64,
	.rate = 136,
	.claimed_bits_low = 261,
	.claimed_bits_high = 261,
	.printed_sigma = "6.324555320336759",
	.printed_alpha = "28874.112529324666",
	.printed_gamma = "19125481.447302323",
    },
};

const uint32_t vldaa_published_count =
    sizeof(vldaa_published_choices) / sizeof(vldaa_published_choices[0]);
