import { Arg, Ctx, Extensions, Field, InputType, Mutation, ObjectType } from 'type-graphql';
import type { ClassType } from 'type-graphql';
import { BadParams, Invalid, invalidSentences } from '../../../shared/core/values/errors.js';
import type { GraphqlRequest } from './request.js';

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
abstract class MutationPayload {
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
async function mutate<P extends object>(
  input: MutationInput,
  work: () => Promise<P>,
  unchanged: () => Promise<Partial<P>>,
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

/** Fields that payloads have of their own, each of which may be null. */
type PayloadFields = Readonly<
  Record<
    string,
    {
      readonly type: () => object;
      readonly description: string;
      /** Of a list, how many it holds at most. */
      readonly most?: number;
    }
  >
>;

function payloadType(name: string, description: string, fields: PayloadFields): ClassType {
  @ObjectType(name, { description, simpleResolvers: true })
  class Payload extends MutationPayload {}
  for (const [field, { type, description, most }] of Object.entries(fields)) {
    Field(type, { nullable: true, description })(Payload.prototype, field);
    if (most !== undefined) Extensions({ most })(Payload.prototype, field);
  }
  return Payload;
}

interface PayloadOptions<T> {
  /** Describes the types of the payloads. */
  description: string;
  fields?: PayloadFields;
  /** Makes the fields from what a mutation resolves to; by default they are that itself. */
  present?: (result: T, request: GraphqlRequest) => object;
  /** Describes the argument of the mutations. */
  input?: string;
}

interface MutationOptions<I, T> {
  description: string;
  /** Describes the argument, where it is another than that of the other mutations. */
  input?: string;
  /** What the payload shows beside its errors: the record as it is stored. */
  unchanged?: (input: I, request: GraphqlRequest) => Promise<T>;
}

/**
 * A decorator for mutations whose payloads have the same fields: methods that take the input and the request. The type of
 * a payload is named by its mutation: `CreateNotePayload` is that of `createNote`.
 */
export function mutationsOf<T extends object | null>(payload: PayloadOptions<T>) {
  const { fields = {}, present = (result: T) => ({ ...result }) } = payload;
  return <I extends MutationInput>(inputType: ClassType<I>, options: MutationOptions<I, T>) =>
    (
      prototype: object,
      name: string,
      descriptor: { value?: (input: I, request: GraphqlRequest) => Promise<T> },
    ): void => {
      const mutation = name.replace(/^./, (first) => first.toUpperCase());
      const type = payloadType(`${mutation}Payload`, payload.description, fields);
      const input = options.input ?? payload.input ?? 'Parameters for the mutation.';
      Mutation(() => type, { nullable: true, description: options.description })(prototype, name, descriptor);
      Arg('input', () => inputType, { description: input })(prototype, name, 0);
      Ctx()(prototype, name, 1);
      const { unchanged } = options;
      const run = descriptor.value!;
      // What type-graphql calls answers the payload; TypeScript knows the method as it is declared.
      descriptor.value = function (this: unknown, input, request) {
        const presented = async (result: Promise<T>) => present(await result, request);
        return mutate(
          input,
          () => presented(run.call(this, input, request)),
          () => (unchanged ? presented(unchanged(input, request)) : Promise.resolve({})),
        ) as Promise<unknown> as Promise<T>;
      };
    };
}
