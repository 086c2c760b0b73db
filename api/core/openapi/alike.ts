import type { Json } from './schemas.js';

/** `user_ids[]` to `UserIds`: keys of components have letters and digits alone. */
const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** `#/components/schemas/Project` to `Project`; null for values that are not references. */
const referenced = (schema: Json | undefined): string | null =>
  typeof schema?.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? null) : null;

/** The body's component has no pagination headers; a list with them becomes a separate component. */
const SUFFIXES: Record<string, string> = { 201: 'Created', 202: 'Accepted' };

/** A name for an answer, by the schema that it holds; null where that has none. */
function answerName(status: string, answer: Json): string | null {
  const { content, headers } = answer as { content?: Record<string, { schema: Json }>; headers?: Json };
  if (!content) return status === '204' ? 'NoContent' : null;
  const schema = content['application/json']?.schema;
  if (!schema) return null;
  const suffix = SUFFIXES[status] ?? '';
  if (schema.type !== 'array') return schemaName(schema) && `${schemaName(schema)}${suffix}`;
  const name = schemaName(schema.items as Json | undefined);
  return name && `${name}${headers ? 'Page' : 'List'}${suffix}`;
}

/** For alternatives, the last one: the serializer depends on the caller, and the last has the most fields. */
function schemaName(schema: Json | undefined): string | null {
  const last = Array.isArray(schema?.anyOf) ? (schema.anyOf as Json[]).at(-1) : schema;
  return referenced(last);
}

// Own pattern: names of parameters that operations declare.
/** A name for a parameter: its own name; for an `id` the path segment before it. */
function parameterName(path: string, { name, in: where }: Json): string {
  const [, before = ''] = new RegExp(`/([^/{}]+)/\\{${String(name)}\\}`).exec(path) ?? [];
  return where === 'path' && name === 'id' ? `${pascal(before)}Id` : pascal(String(name));
}

/** One kind of component, with everything that may be shared as one. */
class Alike {
  readonly #uses = new Map<string, { names: string[]; value: Json; replace: ((reference: Json) => void)[] }>();

  constructor(
    private readonly kind: string,
    private readonly components: Json,
  ) {}

  /** @param area prefix of the name, if another component already uses the name */
  note(name: string | null, area: string, value: Json, replace: (reference: Json) => void): void {
    if (name === null || '$ref' in value) return;
    const key = `${name} ${JSON.stringify(value)}`;
    const use = this.#uses.get(key) ?? { names: [name, pascal(area) + name], value, replace: [] };
    use.replace.push(replace);
    this.#uses.set(key, use);
  }

  /**
   * The most frequent ones come first, so that they get the short name; parameters and responses used once stay inline.
   */
  share(): void {
    const often = [...this.#uses.values()].filter(({ replace }) => replace.length > 1);
    for (const { names, value, replace } of often.sort((one, other) => other.replace.length - one.replace.length)) {
      const name = names.find((one) => !(one in this.components));
      if (name === undefined) continue;
      this.components[name] = value;
      for (const put of replace) put({ $ref: `#/components/${this.kind}/${name}` });
    }
  }
}

interface Described {
  tags: string[];
  parameters?: Json[];
  responses: Record<string, Json>;
}

/**
 * Deduplicates the description: parameters and success responses that several operations share become components, which
 * the operations reference. Generated clients become shorter and have one type per concept.
 */
export function shareAlike(paths: Record<string, Json>, components: { parameters: Json; responses: Json }): void {
  const parameters = new Alike('parameters', components.parameters);
  const answers = new Alike('responses', components.responses);
  for (const [path, item] of Object.entries(paths))
    for (const operation of Object.values(item) as Described[]) {
      const area = operation.tags[0] ?? '';
      for (const [at, parameter] of (operation.parameters ?? []).entries())
        parameters.note(parameterName(path, parameter), area, parameter, (reference) => {
          (operation.parameters as Json[])[at] = reference;
        });
      for (const [status, answer] of Object.entries(operation.responses))
        answers.note(answerName(status, answer), area, answer, (reference) => {
          operation.responses[status] = reference;
        });
    }
  parameters.share();
  answers.share();
}
