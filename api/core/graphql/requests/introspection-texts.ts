import { Kind } from 'graphql';
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Entry, Prepared } from './prepare.js';

/** Total code units of the texts cached for a schema: a whole introspection has about 1.3 million. */
const MOST_UNITS = 8_000_000;
const ABOUT_THE_SCHEMA: readonly string[] = ['__schema', '__type', '__typename'];

const texts = new WeakMap<GraphQLSchema, LRUCache<string, string>>();

/** Whether a query reads the schema alone: the response is the same for every caller. */
function isAboutSchema({ operation, selectionSet }: OperationDefinitionNode): boolean {
  return (
    operation === 'query' &&
    selectionSet.selections.every((one) => one.kind === Kind.FIELD && ABOUT_THE_SCHEMA.includes(one.name.value))
  );
}

const getKey = ({ query, operationName, variables }: Entry) => JSON.stringify([query, operationName, variables]);

/** Keeps what introspections are answered, as text: clients send the same few, and each is work for some 20 ms. */
export async function introspectionText(
  { schema, operation, entry }: Prepared,
  answerAnew: () => Promise<{ errors?: unknown }>,
): Promise<string | null> {
  if (!operation || !isAboutSchema(operation)) return null;
  const textCache =
    texts.get(schema) ?? new LRUCache<string, string>({ maxSize: MOST_UNITS, sizeCalculation: getSize });
  texts.set(schema, textCache);
  const key = getKey(entry);
  const cachedText = textCache.get(key);
  if (cachedText !== undefined) return cachedText;
  const answer = await answerAnew();
  const text = JSON.stringify(answer);
  if (!answer.errors) textCache.set(key, text);
  return text;
}

const getSize = (text: string, key: string): number => text.length + key.length;
