/** An error of the API, or a failure to reach it, in a form that pages can display. */
export class ApiProblem extends Error {
  constructor(
    message: string,
    /** 0 when no answer came. */
    readonly status: number,
    /** Names the request in the service's log. */
    readonly requestId: string | null,
    /** The errors by parameter, if the response contains any. */
    readonly fields: Readonly<Record<string, readonly string[]>> = {},
    /** The API's hint, a sentence, if there is one. */
    readonly hint: string | null = null,
  ) {
    super(message);
    this.name = 'ApiProblem';
  }
}

/** Some errors are sentences that begin with the name of a field. They are displayed at that field. */
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

/** `name is missing, scopes is empty`: the parameters and their errors. */
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
    // Errors that belong to no single field are separate sentences.
    .map(([name, problems]) => `${name === 'base' ? '' : `${name} `}${problems.join(', ')}`)
    .join('; ');

/** The problem in an error response (rest-conventions.md section 5: `message` or `error`, in one of three forms). */
export function getProblem(response: Response, body: unknown): ApiProblem {
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
  new ApiProblem("Can't reach the server. Check your connection and try again.", 0, null);

/**
 * Whether a retry may succeed: refusals by the service are final; requests that did not arrive, or failed, may succeed.
 */
export const mayPass = (error: Error): boolean =>
  !(error instanceof ApiProblem) || error.status === 0 || error.status >= 500;

/**
 * `Failed to save group {:path=>["has already been taken"]}`, a message of the public API: the validation errors by
 * field.
 */
export function rulesInText(message: string): Record<string, string[]> {
  const found = [...message.matchAll(/:(\w+)=>\[(".*?")\](?=[,}])/g)];
  return Object.fromEntries(found.map(([, name, texts]) => [name, JSON.parse(`[${texts}]`) as string[]]));
}
