import { AsyncLocalStorage } from 'node:async_hooks';
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { GraphqlProblem } from './errors.js';
import { getNewType, getScalarName } from './old-ids.js';

/** A global id that was read: the type as written, and the number behind it. */
export interface GlobalId {
  type: string;
  /** 0, which no record has, for numbers beyond the database's range. */
  id: number;
}

const SERVICE = 'service';
/** The prefix that unmodified clients send instead (contract decision 15). */
const PUBLIC = 'gitlab';
const FORM = /^gid:\/\/([^/]+)\/([\w:]+)\/([^/?#]+)$/;

/** The prefix of the current request's responses that replaces `service`; empty for the default. */
const compatibility = new AsyncLocalStorage<string>();

/** Runs the processing of a request: global ids are written and read with this prefix (`compatibility_prefix`). */
export const withCompatibilityPrefix = <T>(prefix: string, run: () => T): T => compatibility.run(prefix, run);

/** The global id of a record: `gid://service/Ci::Pipeline/7` (graphql.md section 3). */
export function globalId(type: string, id: number | string): string {
  return `gid://${compatibility.getStore() || SERVICE}/${type}/${id}`;
}

const isOwnApp = (app: string): boolean => app === SERVICE || app === PUBLIC || app === compatibility.getStore();

function readNumber(text: string): number {
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : 0;
}

/** The parts of a global id; `foreign` if its prefix is not accepted; null for other texts. */
function partsOf(value: unknown): { foreign: boolean; type: string; id: string } | null {
  const [, app, type, id] = (typeof value === 'string' && FORM.exec(value)) || [];
  return app && type && id ? { foreign: !isOwnApp(app), type, id } : null;
}

/** What a scalar for global ids reads. */
interface IdForm {
  scalar: string;
  types: readonly string[];
  /** Of the last part. */
  form: RegExp;
  /** Whether deprecated type names are accepted. */
  old: boolean;
}

function parseText(value: unknown, { scalar, types, form, old }: IdForm) {
  const parts = partsOf(value);
  if (!parts) throw new GraphQLError(`"${String(value)}" is not a valid Global ID`);
  const { foreign, id } = parts;
  const type = old ? getNewType(parts.type) : parts.type;
  if (foreign) throw new GraphQLError(`"${String(value)}" is not a Service Global ID`);
  if (!types.includes(type))
    throw new GraphQLError(`"${String(value)}" does not represent an instance of ${types[0] ?? scalar}`);
  if (!form.test(id)) throw new GraphQLError(`"${String(value)}" is not a valid Global ID`);
  return { type, id };
}

/**
 * A scalar that reads global ids. Its variant under `future` in its extensions does not accept deprecated type names:
 * it is used in the schema without deprecated items.
 */
function idScalar<I>(description: string, form: Omit<IdForm, 'old'>, read: (found: { type: string; id: string }) => I) {
  const make = (old: boolean, extensions: Record<string, unknown>) => {
    const parse = (value: unknown) => read(parseText(value, { ...form, old }));
    return new GraphQLScalarType<I, string>({
      name: form.scalar,
      description,
      serialize: (value) => String(value),
      parseValue: parse,
      parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null),
      extensions,
    });
  };
  return make(true, { future: make(false, {}) });
}

/**
 * A scalar for the global ids of one type, such as `CiPipelineScheduleID`: text on the wire, {@link GlobalId} in
 * arguments. Its name is the first type without colons.
 * @param types the type, then those that count as one of it
 */
export function globalIdScalar(...types: readonly [string, ...string[]]): GraphQLScalarType<GlobalId, string> {
  return idScalar<GlobalId>(
    `Global id of a ${types[0]}, such as "gid://${SERVICE}/${types[0]}/1".`,
    { scalar: getScalarName(types[0]), types, form: /^\d+$/ },
    ({ type, id }) => ({ type, id: readNumber(id) }),
  );
}

/**
 * The number in an argument of the plain type `ID` that takes global ids and, as older clients send them, numbers.
 * @throws GraphqlProblem
 */
export function readPlainId(text: string, type: string): number {
  if (/^\d+$/.test(text)) return readNumber(text);
  const parts = partsOf(text);
  if (!parts || parts.foreign || !/^\d+$/.test(parts.id))
    throw new GraphqlProblem(`${text} is not a valid service ID.`);
  if (getNewType(parts.type) !== type) throw new GraphqlProblem(`${text} is not a valid ID for ${type}.`);
  return readNumber(parts.id);
}

/**
 * A scalar for global ids that end in 40 hexadecimal digits, such as those of threads (graphql.md section 3.4);
 * arguments hold the digits.
 * @param types the type, followed by the types that count as it
 */
export function digestIdScalar(...types: readonly [string, ...string[]]): GraphQLScalarType<string, string> {
  return idScalar<string>(
    `Global id of a ${types[0]}: "gid://${SERVICE}/${types[0]}/" and 40 hexadecimal digits.`,
    { scalar: getScalarName(types[0]), types, form: /^[0-9a-f]{40}$/ },
    ({ id }) => id,
  );
}
