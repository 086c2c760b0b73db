import type { GraphQLScalarType } from 'graphql';
import { Field, ID, ObjectType } from 'type-graphql';
import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { connectionOfRecords } from './connections.js';
import type { Connection, PageArgs } from './connections.js';
import { globalId } from './global-ids.js';
import { presentField } from './present-field.js';
import type { GraphqlRequest } from './request.js';
import { Time } from './scalars.js';

/** An object of the schema that is read from a record. */
export abstract class RecordObject<R> {
  constructor(
    readonly record: R,
    readonly request: GraphqlRequest,
  ) {}

  /** Null where there is no record. */
  static of<R, O>(
    this: new (record: R, request: GraphqlRequest) => O,
    record: R | null | undefined,
    request: GraphqlRequest,
  ): O | null {
    return record ? new this(record, request) : null;
  }
}

/** Names a type as decorators take it. */
type FieldType = () => object;

interface FieldOptions {
  nullable?: boolean;
  description: string;
  deprecationReason?: string;
}

/** The name of a field as records and serializers have it: `created_at` of `createdAt`. */
type SnakeCase<F extends string> = F extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

const snakeCase = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Refused where records of the type have no such column, or one of another type than the declared field. */
type RecordDecorator<C extends string> = <
  F extends string,
  T extends {
    readonly record: { readonly [K in string extends C ? SnakeCase<F> : C]?: F extends keyof T ? T[F] : never };
  },
>(
  prototype: T,
  field: F,
) => void;

/** Declares a field with its getter on a type. */
function declareGetter<T extends object>(
  prototype: T,
  field: string,
  type: FieldType,
  options: FieldOptions,
  get: (object: T) => unknown,
): void {
  Object.defineProperty(prototype, field, {
    get(this: T) {
      return get(this);
    },
  });
  Field(type, options)(prototype, field);
}

/** A field that is a column of the record, of the same name unless `column` says which: null where the record has none. */
export function RecordField<C extends string>(
  type: FieldType,
  { column, ...options }: FieldOptions & { column?: C },
): RecordDecorator<C> {
  return (prototype, field) => {
    const key = column ?? snakeCase(field);
    declareGetter(prototype, field, type, options, ({ record }) => (record as Record<string, unknown>)[key] ?? null);
  };
}

/** A field that is what REST shows of the record under the same name. */
export function SerializedField<R>(serializer: Serializer<R>, type: FieldType, options: FieldOptions) {
  return (prototype: RecordObject<R>, field: string): void => {
    const key = snakeCase(field);
    declareGetter(prototype, field, type, options, ({ record, request }) =>
      presentField(serializer, key, record, request.ctx),
    );
  };
}

interface RecordDetails {
  id: number;
  created_at: Date;
  updated_at: Date;
}

interface RecordTypeOptions {
  /** Of the id, where it is more than `ID`. */
  idType?: GraphQLScalarType;
  id?: Partial<FieldOptions>;
  times?: Partial<FieldOptions>;
}

/**
 * What most types of records have in common, for them to extend: the global id, and when the record was created and last
 * updated.
 * @param noun names a record in descriptions
 * @param type of the global id
 */
export function recordType<R extends RecordDetails>(
  noun: string,
  type: string | ((record: R) => string),
  { idType = ID, id, times }: RecordTypeOptions = {},
) {
  @ObjectType()
  abstract class RecordType extends RecordObject<R> {
    @Field(() => idType, { description: `Global ID of the ${noun}.`, ...id })
    get id(): string {
      return globalId(typeof type === 'string' ? type : type(this.record), this.record.id);
    }

    @Field(() => Time, { description: `Timestamp of when the ${noun} was created.`, ...times })
    get createdAt(): Date {
      return this.record.created_at;
    }

    @Field(() => Time, { description: `Timestamp of when the ${noun} was last updated.`, ...times })
    get updatedAt(): Date {
      return this.record.updated_at;
    }
  }
  return RecordType;
}

/** A page of records that are in memory, as objects of a type. */
export function pageOfRecords<R extends { id: number }, O>(
  request: GraphqlRequest,
  records: readonly R[] | null,
  args: PageArgs,
  node: new (record: R, request: GraphqlRequest) => O,
): Connection<O> {
  return connectionOfRecords(
    request,
    records ?? [],
    args,
    ({ id }) => id,
    (record) => new node(record, request),
  );
}
