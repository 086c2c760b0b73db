import { Field, InputType, ObjectType } from 'type-graphql';
import { BadParams, Invalid, invalidSentences } from '../../../shared/core/values/errors.js';

/** Input fields that every mutation accepts. */
@InputType()
export abstract class MutationInput {
  @Field(() => String, {
    nullable: true,
    description: 'Unique identifier for the client performing the mutation; returned in the payload.',
  })
  clientMutationId?: string | null;
}

/** What every mutation answers: problems of the record, as sentences. Everything else is a top-level error. */
@ObjectType({ simpleResolvers: true })
export abstract class MutationPayload {
  @Field(() => String, { nullable: true, description: 'Unique identifier for the client performing the mutation.' })
  clientMutationId?: string | null;

  @Field(() => [String], { description: 'Errors encountered during the mutation.' })
  errors!: string[];
}

/** The messages for an error that belongs in the payload; null for all others. */
function sentences(error: unknown): string[] | null {
  if (error instanceof Invalid) return invalidSentences(error.detail);
  if (error instanceof BadParams) return error.problems;
  return null;
}

/**
 * Runs the operation of a mutation and builds its payload (graphql.md section 4): validation errors become its
 * `errors`, together with `unchanged`; all other errors are rethrown.
 */
export async function mutate<P extends object>(
  input: MutationInput,
  work: () => Promise<P>,
  unchanged: () => Promise<Partial<P>> = () => Promise.resolve({}),
): Promise<Partial<P> & MutationPayload> {
  const clientMutationId = input.clientMutationId ?? null;
  try {
    return { clientMutationId, errors: [], ...(await work()) };
  } catch (error) {
    const errors = sentences(error);
    if (!errors) throw error;
    return { clientMutationId, ...(await unchanged()), errors };
  }
}
