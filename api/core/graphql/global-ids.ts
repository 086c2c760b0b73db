import { AsyncLocalStorage } from 'node:async_hooks';
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { GraphqlProblem } from './errors.js';
import { getNewType, getScalarName } from './old-ids.js';

/** A parsed global id: its type (the current name, if a deprecated one was sent) and its number. */
export interface GlobalId {
  type: string;
  /** 0, which no record has, for numbers beyond the database's range. */
  id: number;
}

const DEFAULT_PREFIX = 'service';
/** The prefix that unmodified clients send instead (contract decision 15). */
const CLIENT_PREFIX = 'gitlab';
const GLOBAL_ID = /^gid:\/\/([^/]+)\/([\w:]+)\/([^/?#]+)$/;

/** The prefix of the current request's responses that replaces `service`; empty for the default. */
const compatibilityPrefix = new AsyncLocalStorage<string>();

/** Runs the processing of a request: global ids are written and read with this prefix (`compatibility_prefix`). */
export const withCompatibilityPrefix = <T>(prefix: string, run: () => T): T => compatibilityPrefix.run(prefix, run);

/** The global id of a record: `gid://service/Ci::Pipeline/7` (graphql.md section 3). */
export function globalId(type: string, id: number | string): string {
  return `gid://${compatibilityPrefix.getStore() || DEFAULT_PREFIX}/${type}/${id}`;
}

const isAcceptedPrefix = (prefix: string): boolean =>
  prefix === DEFAULT_PREFIX || prefix === CLIENT_PREFIX || prefix === compatibilityPrefix.getStore();

function readNumber(text: string): number {
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : 0;
}

/** The parts of a global id; `foreign` if its prefix is not accepted; null for any other value. */
function getParts(value: unknown): { foreign: boolean; type: string; id: string } | null {
  const [, prefix, type, id] = (typeof value === 'string' && GLOBAL_ID.exec(value)) || [];
  return prefix && type && id ? { foreign: !isAcceptedPrefix(prefix), type, id } : null;
}

/** What a scalar for global ids accepts. */
interface IdSyntax {
  scalar: string;
  types: readonly string[];
  /** Matches the last part, the id itself. */
  pattern: RegExp;
  /** Whether deprecated type names are accepted. */
  acceptsDeprecated: boolean;
}

function parseText(value: unknown, { scalar, types, pattern, acceptsDeprecated }: IdSyntax) {
  const parts = getParts(value);
  if (!parts) throw new GraphQLError(`"${String(value)}" is not a valid Global ID`);
  const { foreign, id } = parts;
  const type = acceptsDeprecated ? getNewType(parts.type) : parts.type;
  if (foreign) throw new GraphQLError(`"${String(value)}" is not a Service Global ID`);
  if (!types.includes(type))
    throw new GraphQLError(`"${String(value)}" does not represent an instance of ${types[0] ?? scalar}`);
  if (!pattern.test(id)) throw new GraphQLError(`"${String(value)}" is not a valid Global ID`);
  return { type, id };
}

/**
 * A scalar that reads global ids. Its variant under `future` in its extensions does not accept deprecated type names:
 * it is used in the schema without deprecated items.
 */
function idScalar<I>(
  description: string,
  syntax: Omit<IdSyntax, 'acceptsDeprecated'>,
  read: (parsed: { type: string; id: string }) => I,
) {
  const make = (acceptsDeprecated: boolean, extensions: Record<string, unknown>) => {
    const parse = (value: unknown) => read(parseText(value, { ...syntax, acceptsDeprecated }));
    return new GraphQLScalarType<I, string>({
      name: syntax.scalar,
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
 * @param types the type, followed by the types that count as it
 */
export function globalIdScalar(...types: readonly [string, ...string[]]): GraphQLScalarType<GlobalId, string> {
  return idScalar<GlobalId>(
    `Global id of a ${types[0]}, such as "gid://${DEFAULT_PREFIX}/${types[0]}/1".`,
    { scalar: getScalarName(types[0]), types, pattern: /^\d+$/ },
    ({ type, id }) => ({ type, id: readNumber(id) }),
  );
}

/**
 * Reads the number from an argument of the plain type `ID`: a global id or, as older clients send it, a number.
 * @throws GraphqlProblem
 */
export function readPlainId(text: string, type: string): number {
  if (/^\d+$/.test(text)) return readNumber(text);
  const parts = getParts(text);
  if (!parts || parts.foreign || !/^\d+$/.test(parts.id))
    throw new GraphqlProblem(`${text} is not a valid service ID.`);
  if (getNewType(parts.type) !== type) throw new GraphqlProblem(`${text} is not a valid ID for ${type}.`);
  return readNumber(parts.id);
}

/**
 * A scalar for global ids that end in 40 hexadecimal digits, such as those of threads (graphql.md section 3.4);
 * resolvers receive the digits.
 * @param types the type, followed by the types that count as it
 */
export function digestIdScalar(...types: readonly [string, ...string[]]): GraphQLScalarType<string, string> {
  return idScalar<string>(
    `Global id of a ${types[0]}: "gid://${DEFAULT_PREFIX}/${types[0]}/" and 40 hexadecimal digits.`,
    { scalar: getScalarName(types[0]), types, pattern: /^[0-9a-f]{40}$/ },
    ({ id }) => id,
  );
}
