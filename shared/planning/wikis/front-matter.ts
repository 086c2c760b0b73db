import { parseYaml } from '../../core/values/yaml.js';

/** Longer ones are not read. */
const MOST_CHARACTERS = 64 * 1024;

// Own pattern: YAML between two lines of hyphens, at the beginning of a text.
const FRONT_MATTER = /^\s*---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** The front matter of a page and its text. */
export interface PageParts {
  readonly front_matter: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The values of a hash; null for anything else, including invalid YAML. */
function hashIn(yaml: string): Record<string, unknown> | null {
  try {
    const { documents } = parseYaml(yaml, { maxAliases: 0 });
    const [value] = documents;
    return documents.length === 1 && value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Separates a page from its front matter; a page without front matter in the form of a YAML hash is all text. */
export function pageParts(content: string): PageParts {
  const [whole, yaml = ''] = FRONT_MATTER.exec(content.slice(0, MOST_CHARACTERS)) ?? [];
  const found = whole === undefined ? null : hashIn(yaml);
  return found === null || whole === undefined
    ? { front_matter: {}, text: content }
    : { front_matter: found, text: content.slice(whole.length) };
}
