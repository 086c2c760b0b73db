import { z } from 'zod';
import { BadParams } from '../values/errors.js';

type Raw = Record<string, unknown>;

/** What several parameters must be like together, as data: checks and documentation read the same. */
export interface ParamRule {
  kind: 'exclusive' | 'apart' | 'any' | 'together' | 'one' | 'unless';
  names: readonly string[];
}

/** At most one of them: else `a, b are mutually exclusive`. */
export const mutuallyExclusive = (...names: string[]): ParamRule => ({ kind: 'exclusive', names });

/** The same, with the message of environments: `name, search cannot be used together`. */
export const notTogether = (...names: string[]): ParamRule => ({ kind: 'apart', names });

/** One of them or more: else `a, b are missing, at least one parameter must be provided`. */
export const getAtLeastOne = (...names: string[]): ParamRule => ({ kind: 'any', names });

/** One of them and no other: else as above, or `a, b are missing, exactly one parameter must be provided`. */
export const exactlyOneOf = (...names: string[]): ParamRule => ({ kind: 'one', names });

/** All of them or none: else `a, b provide all or none of parameters`. */
export const allOrNoneOf = (...names: string[]): ParamRule => ({ kind: 'together', names });

/** The first one, or another instead: else `metric is missing`. */
export const requiredUnless = (name: string, other: string): ParamRule => ({ kind: 'unless', names: [name, other] });

/** @returns the problem, or null. A key that is present counts, whatever its value. */
function broken({ kind, names }: ParamRule, raw: Raw): string | null {
  const presentNames = names.filter((name) => raw[name] !== undefined);
  if (kind === 'any')
    return presentNames.length > 0 ? null : `${names.join(', ')} are missing, at least one parameter must be provided`;
  if (kind === 'unless') return presentNames.length > 0 ? null : `${names[0]} is missing`;
  if (kind === 'together') {
    const partly = presentNames.length > 0 && presentNames.length < names.length;
    return partly ? `${names.join(', ')} provide all or none of parameters` : null;
  }
  if (kind === 'one' && presentNames.length === 0)
    return `${names.join(', ')} are missing, exactly one parameter must be provided`;
  if (presentNames.length < 2) return null;
  return kind === 'apart'
    ? `${presentNames.join(', ')} cannot be used together`
    : `${presentNames.join(', ')} are mutually exclusive`;
}

/** `inputs[0][value]`; a list element that is not a hash has the name of its list. */
function pathName(path: readonly PropertyKey[]): string {
  const keys = typeof path.at(-1) === 'number' ? path.slice(0, -1) : path;
  return keys.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');
}

interface Described {
  enum?: unknown;
  items?: Described;
  properties?: Record<string, Described>;
}

/** Whether the parameter at a path has a list of allowed values, according to the schema. */
function hasAllowedValues(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  const [first, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    const field = schema.shape[first as string] as z.ZodType | undefined;
    return field !== undefined && hasAllowedValues(field, rest);
  }
  let described: Described | undefined = schema.meta() as Described | undefined;
  for (const part of path)
    described = typeof part === 'number' ? described?.items : described?.properties?.[String(part)];
  return described?.enum !== undefined || described?.items?.enum !== undefined;
}

/** The texts for one issue of the schema (rest-conventions.md section 5). */
function texts(issue: z.core.$ZodIssue, schema: z.ZodType): string[] {
  const name = pathName(issue.path);
  if (issue.input === undefined && issue.path.length > 0) {
    // A missing parameter that also has a list of allowed values gets both messages.
    return hasAllowedValues(schema, issue.path)
      ? [`${name} is missing`, `${name} does not have a valid value`]
      : [`${name} is missing`];
  }
  if (issue.code === 'custom') return [`${name} ${issue.message}`];
  // A hash where a word is wanted, or a word where a number is, is of the wrong type before it is no allowed value.
  const isOther = issue.code === 'invalid_value' && typeof issue.input === typeof issue.values[0];
  return [isOther ? `${name} does not have a valid value` : `${name} is invalid`];
}

function getProblems(issues: readonly z.core.$ZodIssue[], schema: z.ZodType): string[] {
  const reportedNames = new Set<string>();
  return issues.flatMap((issue) => {
    const name = pathName(issue.path);
    if (reportedNames.has(name)) return [];
    reportedNames.add(name);
    return texts(issue, schema);
  });
}

/**
 * Parses declared parameters; undeclared ones are dropped.
 * @throws BadParams with every problem, in declaration order, one text for each parameter, then the broken rules
 */
export function parseParams<S extends z.ZodType>(schema: S, raw: Raw, rules: readonly ParamRule[] = []): z.output<S> {
  const result = schema.safeParse(raw, { reportInput: true });
  const apart = rules.length === 0 ? [] : rules.map((rule) => broken(rule, raw)).filter((text) => text !== null);
  if (result.success && apart.length === 0) return result.data;
  const issues = result.success ? [] : getProblems(result.error.issues, schema);
  throw new BadParams([...issues, ...apart]);
}

/**
 * Parameters that transports read from the same input, in addition to an operation's own parameters
 * (rest-conventions.md section 2).
 */
const OF_THE_TRANSPORT = new Set(['private_token', 'access_token', 'job_token', 'sudo']);

/** @throws BadParams naming every parameter that is not declared */
export function rejectUnknown(schema: z.ZodObject, raw: Raw): void {
  const unknown = Object.keys(raw).filter((name) => !(name in schema.shape) && !OF_THE_TRANSPORT.has(name));
  if (unknown.length > 0) throw new BadParams(unknown.map((name) => `${name} is unknown`));
}
