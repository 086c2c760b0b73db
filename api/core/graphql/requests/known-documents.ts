import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Characters of all remembered texts: a parsed document takes some fifty times its text. */
const MOST_CHARACTERS = 300_000;

type Documents = LRUCache<string, DocumentNode>;

const remembered = new WeakMap<GraphQLSchema, Documents>();

/**
 * Documents that were found valid for a schema, by their text: clients send the same few over and over, and reading and
 * validating one takes longer than running it. What depends on caller or variables is asked each time.
 */
export function knownDocuments(schema: GraphQLSchema): Documents {
  let known = remembered.get(schema);
  if (!known) {
    known = new LRUCache({ maxSize: MOST_CHARACTERS, sizeCalculation: (_document, text) => text.length });
    remembered.set(schema, known);
  }
  return known;
}
