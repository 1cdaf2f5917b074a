/*
 * The two statements: which elements, which derived forms, which relations.  Orders are those that
 * the core encodes: witness blocks, then the range proof's derived forms with their weights.
 */
#include "oneshot/statement.h"

static void add_block(vldaa_oneshot_statement *s, const char *meaning, uint32_t elements,
		      uint64_t secret2)
{
	s->block[s->blocks].meaning = meaning;
	s->block[s->blocks].elements = elements;
	s->block[s->blocks].secret2 = secret2;
	s->blocks++;
	s->m1 += elements;
}

static void add_norm(vldaa_oneshot_statement *s, const char *meaning, uint32_t first,
		     uint32_t count, uint64_t bound, uint32_t bits)
{
	/* digits follow one another in theta */
	uint32_t digit = 0;
	for (uint32_t i = 0; i < s->relations; i++)
		digit += s->relation[i].bits;
	s->relation[s->relations++] = (vldaa_oneshot_relation){.meaning = meaning,
							       .first = first,
							       .count = count,
							       .digit = digit,
							       .bits = bits,
							       .bound = bound};
}

static void add_binary(vldaa_oneshot_statement *s, const char *meaning, uint32_t first,
		       uint32_t count)
{
	s->relation[s->relations++] = (vldaa_oneshot_relation){
	    .meaning = meaning, .first = first, .count = count, .binary = 1};
	s->binaries = count * VLDAA_ONESHOT_DEGREE;
}

static void add_weighted(vldaa_oneshot_statement *s, uint32_t first, uint32_t count,
			 uint32_t weight)
{
	for (uint32_t i = 0; i < count; i++) {
		s->form[s->weighted] = first + i;
		s->weight[s->weighted] = weight;
		s->weighted++;
	}
}

static uint64_t used_digits(const vldaa_oneshot_statement *s)
{
	uint64_t used = 0;
	for (uint32_t i = 0; i < s->relations; i++)
		used += s->relation[i].bits;
	return used;
}

/* Elements of R in one of R_256. */
enum { QUARTERS = 256 / VLDAA_ONESHOT_DEGREE };

void vldaa_oneshot_describe_attestation(vldaa_oneshot_statement *s,
					const vldaa_oneshot_choice *choice)
{
	uint32_t t = choice->degree / VLDAA_ONESHOT_DEGREE;
	uint32_t carries = QUARTERS * choice->rows;
	uint32_t x = 2 * t;
	uint32_t key = x + QUARTERS + 1;
	uint32_t error = key + QUARTERS * choice->l;

	s->name = "attestation";
	s->theta = x + QUARTERS;
	add_norm(s, "||v||^2", 0, 2 * t, choice->beta2, choice->beta_digits);
	add_norm(s, "||s||^2", key, QUARTERS * choice->l, choice->s2, choice->s_digits);
	add_norm(s, "||E||^2", error, carries, choice->e2, choice->e_digits);
	add_binary(s, "x, theta", x, QUARTERS + 1);
	/* x and theta are binary, and the prover leaves unused digits 0. */
	add_block(s, "v", 2 * t, choice->beta2);
	add_block(s, "x, theta", QUARTERS + 1, VLDAA_ONESHOT_TAG + used_digits(s));
	add_block(s, "s", QUARTERS * choice->l, choice->s2);
	add_block(s, "E", carries, choice->e2);
	s->derived = t + carries;
	add_weighted(s, 0, t, 1);
	add_weighted(s, t, carries, VLDAA_ONESHOT_CARRY_WEIGHT);
	add_weighted(s, t, carries, 1);

	/* ||W S||^2: weight^2 (all blocks) + ||k_c||^2 + (128^2 + 1) ||k||^2. */
	fmpz_set_ui(s->ws2, choice->beta2 + s->block[1].secret2 + choice->s2 + choice->e2);
	fmpz_mul_ui(s->ws2, s->ws2, VLDAA_ONESHOT_WEIGHT * VLDAA_ONESHOT_WEIGHT);
	fmpz_add_ui(s->ws2, s->ws2, choice->kc * choice->kc);
	fmpz_add_ui(s->ws2, s->ws2,
		    (VLDAA_ONESHOT_CARRY_WEIGHT * VLDAA_ONESHOT_CARRY_WEIGHT + 1) *
			choice->k_carry * choice->k_carry);
}

void vldaa_oneshot_describe_join(vldaa_oneshot_statement *s, const vldaa_oneshot_choice *choice)
{
	uint32_t t = choice->degree / VLDAA_ONESHOT_DEGREE;
	uint32_t key = QUARTERS * choice->l;

	s->name = "join";
	s->theta = key + t;
	add_norm(s, "||s||^2", 0, key, choice->s2, choice->s_digits);
	add_norm(s, "||e_T||^2", key, t, choice->et2, choice->et_digits);
	add_binary(s, "theta", key + t, 1);
	add_block(s, "s", key, choice->s2);
	add_block(s, "e_T", t, choice->et2);
	add_block(s, "theta", 1, used_digits(s));
	s->derived = t;
	add_weighted(s, 0, t, 1);

	fmpz_set_ui(s->ws2, choice->s2 + choice->et2 + s->block[2].secret2);
	fmpz_mul_ui(s->ws2, s->ws2, VLDAA_ONESHOT_WEIGHT * VLDAA_ONESHOT_WEIGHT);
	fmpz_add_ui(s->ws2, s->ws2, choice->kj * choice->kj);
}
