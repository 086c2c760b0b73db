import type { DocumentNode, GraphQLSchema } from 'graphql';

/** Characters of all remembered texts: a parsed document takes some fifty times its text. */
const MOST_CHARACTERS = 300_000;

class Remembered {
  // Oldest use first: a Map keeps the order of insertion.
  readonly #documents = new Map<string, DocumentNode>();
  #characters = 0;

  get(query: string): DocumentNode | null {
    const document = this.#documents.get(query);
    if (!document) return null;
    this.#documents.delete(query);
    this.#documents.set(query, document);
    return document;
  }

  add(query: string, document: DocumentNode): void {
    if (this.#documents.has(query)) return;
    this.#documents.set(query, document);
    this.#characters += query.length;
    for (const oldest of this.#documents.keys()) {
      if (this.#characters <= MOST_CHARACTERS) break;
      this.#documents.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}

const remembered = new WeakMap<GraphQLSchema, Remembered>();

/**
 * Documents that were found valid for a schema, by their text: clients send the same few over and over, and reading and
 * validating one takes longer than running it. What depends on caller or variables is asked each time.
 */
export function knownDocuments(schema: GraphQLSchema): Remembered {
  let known = remembered.get(schema);
  if (!known) {
    known = new Remembered();
    remembered.set(schema, known);
  }
  return known;
}
