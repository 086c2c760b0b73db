// oxlint-disable-next-line import/no-unassigned-import -- decorators keep what they know in it: before all others
import 'reflect-metadata';
import { globSync } from 'node:fs';
import { getMetadataStorage } from 'type-graphql';
import { buildGraphqlSchema, GraphqlEngine } from './core/graphql/requests/engine.js';
import type { ResolverClass } from './core/graphql/requests/engine.js';

/** `<domain>/<area>/<name>.graphql.js`: what GraphQL serves is found by the names of files. */
const files = globSync('*/*/*.graphql.js', { cwd: import.meta.dirname }).toSorted();

const exported: unknown[] = [];
// One after another: the order in which classes are declared must not depend on which file is read first.
for (const file of files) exported.push(...Object.values((await import(`./${file}`)) as Record<string, unknown>));

const declared = new Set<unknown>(getMetadataStorage().resolverClasses.map(({ target }) => target));
const resolvers = exported.filter((one): one is ResolverClass => declared.has(one));

/** The engine over all domains. Loaded when first needed: decorators and schema take a while. */
export const graphqlEngine = new GraphqlEngine(buildGraphqlSchema(resolvers));
