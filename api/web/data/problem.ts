/** What the API refused, or that it could not be reached, in a form that pages can show. */
export class ApiProblem extends Error {
  constructor(
    message: string,
    /** 0 when no answer came. */
    readonly status: number,
    /** Names the request in the service's log. */
    readonly requestId: string | null,
    /** What is wrong with which parameter, where the answer names some. */
    readonly fields: Readonly<Record<string, readonly string[]>> = {},
    /** What helps, in a sentence, where the API says something. */
    readonly hint: string | null = null,
  ) {
    super(message);
    this.name = 'ApiProblem';
  }
}

/** Some refusals are sentences; each begins with what it is about. Told at the field that it is about then. */
export function atField(
  error: Error | null,
  about: readonly (readonly [start: RegExp, field: string])[],
): Error | null {
  const said = (error?.message ?? '').replace(/^400 Bad request - /, '');
  const [, field] = about.find(([start]) => start.test(said)) ?? [];
  if (!field || !(error instanceof ApiProblem)) return error;
  return new ApiProblem(said, error.status, error.requestId, { [field]: [said] });
}

const texts = (value: unknown): string[] => [value].flat().map(String);

/** `{name: ["can't be blank"]}`, the broken rules by field. */
function brokenRules(message: unknown): Record<string, string[]> {
  if (message === null || typeof message !== 'object' || Array.isArray(message)) return {};
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, texts(value)]));
}

/** `name is missing, scopes is empty`: each parameter and what is wrong with it. */
function badParameters(error: unknown): Record<string, string[]> {
  if (typeof error !== 'string') return {};
  const found: Record<string, string[]> = {};
  for (const part of error.split(', ')) {
    const [, name, rest] = /^([a-z_]+)(?:\[\])? ((?:is|does|are) .+)$/.exec(part) ?? [];
    if (name && rest) (found[name] ??= []).push(rest);
  }
  return found;
}

const sentences = (fields: Record<string, readonly string[]>) =>
  Object.entries(fields)
    // What is wrong with no field alone is a sentence of its own.
    .map(([name, problems]) => `${name === 'base' ? '' : `${name} `}${problems.join(', ')}`)
    .join('; ');

/** The problem that a refusal tells of (rest-conventions.md section 5: `message` or `error`, in one of three forms). */
export function problemOf(response: Response, body: unknown): ApiProblem {
  const { message, error, error_description: description, hint } = (body ?? {}) as Record<string, unknown>;
  const rules = brokenRules(message);
  const fields = Object.keys(rules).length > 0 ? rules : badParameters(error);
  const said = Object.keys(rules).length > 0 ? sentences(rules) : (message ?? description ?? error);
  const text =
    said === undefined || said === null ? `${response.status} ${response.statusText}`.trim() : texts(said).join(', ');
  const hintText = typeof hint === 'string' ? hint : null;
  return new ApiProblem(text, response.status, response.headers.get('x-request-id'), fields, hintText);
}

/** Without a network, or a service at the other end. */
export const unreachable = (): ApiProblem =>
  new ApiProblem('The service could not be reached. Check the connection, then try again.', 0, null);

/** What the service refused it refuses again; what did not arrive, or failed, may arrive now. */
export const mayPass = (error: Error): boolean =>
  !(error instanceof ApiProblem) || error.status === 0 || error.status >= 500;

/** `Failed to save group {:path=>["has already been taken"]}`, as the public API says it: the broken rules by field. */
export function rulesInText(message: string): Record<string, string[]> {
  const found = [...message.matchAll(/:(\w+)=>\[(".*?")\](?=[,}])/g)];
  return Object.fromEntries(found.map(([, name, texts]) => [name, JSON.parse(`[${texts}]`) as string[]]));
}
