import type { z } from 'zod';
import { BadParams } from './errors.js';

type Raw = Record<string, unknown>;

function pathName(path: readonly PropertyKey[]): string {
  return path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const part of path) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** The texts for one issue of the schema (rest-conventions.md section 5). */
function texts(issue: z.core.$ZodIssue, raw: Raw): string[] {
  const name = pathName(issue.path);
  const missing = valueAt(raw, issue.path) === undefined;
  if (missing && issue.path.length > 0) {
    // A missing parameter that also has a list of allowed values is told both.
    return issue.code === 'invalid_value'
      ? [`${name} is missing`, `${name} does not have a valid value`]
      : [`${name} is missing`];
  }
  if (issue.code === 'custom') return [`${name} ${issue.message}`];
  if (issue.code === 'invalid_value') return [`${name} does not have a valid value`];
  return [`${name} is invalid`];
}

/**
 * Parses declared parameters; undeclared ones are dropped.
 * @throws BadParams with every problem, in declaration order, one text for each parameter
 */
export function parseParams<S extends z.ZodType>(schema: S, raw: Raw): z.output<S> {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const problems: string[] = [];
  const told = new Set<string>();
  for (const issue of result.error.issues) {
    const name = pathName(issue.path);
    if (told.has(name)) continue;
    told.add(name);
    problems.push(...texts(issue, raw));
  }
  throw new BadParams(problems);
}

/** What transports read from the same bag, beside an operation's own parameters (rest-conventions.md section 2). */
const OF_THE_TRANSPORT = new Set(['private_token', 'access_token', 'job_token', 'sudo']);

/** @throws BadParams naming every parameter that is not declared */
export function refuseUnknown(schema: z.ZodObject, raw: Raw): void {
  const unknown = Object.keys(raw).filter((name) => !(name in schema.shape) && !OF_THE_TRANSPORT.has(name));
  if (unknown.length > 0) throw new BadParams(unknown.map((name) => `${name} is unknown`));
}
