import type { DocumentEvent } from 'js-yaml';

const HANDLE = /^!(?:[\w-]*!)?/;

const CORE_HANDLE: readonly [string, string] = ['!!', 'tag:yaml.org,2002:'];

/** What the handles of tags stand for in a document: `!!`, and those of its `%TAG` lines. */
export function readTagPrefixes({ directives }: DocumentEvent): Map<string, string> {
  const own = directives.flatMap((one): [string, string][] => (one.kind === 'tag' ? [[one.handle, one.prefix]] : []));
  return new Map([CORE_HANDLE, ...own]);
}

/** The full name of a tag: `!!str` is `tag:yaml.org,2002:str`, `!reference` is itself. */
export function resolveTag(raw: string, prefixes: ReadonlyMap<string, string>): string {
  if (raw.startsWith('!<') && raw.endsWith('>')) return raw.slice(2, -1);
  const handle = HANDLE.exec(raw)?.[0] ?? '!';
  const prefix = prefixes.get(handle);
  return prefix === undefined ? raw : prefix + raw.slice(handle.length);
}
