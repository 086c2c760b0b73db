import type { EntitySchema } from '@mikro-orm/core';
import type { BasicReader, TokenSource } from './context/token-source.js';
import type { Subscriber } from './context/context.js';
import type { JobKind } from './context/jobs.js';
import type { ReferenceSource } from './markdown/reference-source.js';
import type { PageChangesOf } from './page-changes/publish-page-changes.js';

/** What a domain has that every process must know. Its registry names it, and `shared/domains.ts` the domains. */
export interface Domain {
  readonly name: string;
  readonly entities: readonly EntitySchema[];
  /** Each gets a queue of its name when the database is migrated. */
  readonly jobKinds: readonly JobKind<object>[];
  /** Told what happened in this domain and those below, in this order. */
  readonly subscribers: readonly Subscriber[];
  /** What of pages its events change. */
  readonly pageChanges?: PageChangesOf;
  /** What texts may refer to. */
  readonly references?: readonly ReferenceSource[];
  /** Its tables of tokens. */
  readonly tokenSources?: readonly TokenSource[];
  /** Finds whom a user name and a secret belong to together. */
  readonly basicReaders?: readonly BasicReader[];
}

export const entitiesOf = (domains: readonly Domain[]): EntitySchema[] => domains.flatMap(({ entities }) => entities);

export const jobKindsOf = (domains: readonly Domain[]): JobKind<object>[] =>
  domains.flatMap(({ jobKinds }) => jobKinds);

export const tokenSourcesOf = (domains: readonly Domain[]): TokenSource[] =>
  domains.flatMap(({ tokenSources = [] }) => tokenSources);

export const basicReadersOf = (domains: readonly Domain[]): BasicReader[] =>
  domains.flatMap(({ basicReaders = [] }) => basicReaders);
