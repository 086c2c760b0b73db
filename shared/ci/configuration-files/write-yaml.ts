import { COLLECTION_STYLE, defineSequenceTag, dump, DUMP_SCHEMA, nullYaml11Tag, visit } from 'js-yaml';
import type { Document } from 'js-yaml';
import { Reference } from '../configuration-model/configuration.types.js';
import type { Value } from '../configuration-model/configuration.types.js';

const referenceTag = defineSequenceTag('!reference', {
  create: () => [] as unknown[],
  addItem: () => 'is written only',
  identify: (value) => value instanceof Reference,
  represent: (value: Reference) => value.path,
});

/** Nothing is written for null. */
const nullTag = { ...nullYaml11Tag, represent: () => '' };

const SCHEMA = DUMP_SCHEMA.withTags(referenceTag, nullTag);

function writeReferencesInLine(documents: Document[]): void {
  visit(documents, (node) => {
    if (node.kind === 'sequence' && node.tag === referenceTag.tagName) node.style = COLLECTION_STYLE.FLOW;
  });
}

/**
 * A value as YAML, in the way in which the public API writes a merged configuration: after a line of `---`, lists at
 * the depth of their key, references as `!reference [a, b]`, no anchors, no folded lines.
 */
export function formatYaml(value: Value): string {
  const text = dump(value, {
    schema: SCHEMA,
    noRefs: true,
    seqNoIndent: true,
    lineWidth: -1,
    transform: writeReferencesInLine,
  });
  return `---\n${text}`;
}
