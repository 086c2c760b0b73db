import type { EntitySchema } from '@mikro-orm/core';
import type { BasicReader, TokenSource } from './context/token-source.js';
import type { Subscriber } from './context/context.js';
import type { JobKind } from './context/jobs.js';
import type { ReferenceSource } from './markdown/reference-source.js';
import type { PageChangesOf } from './page-changes/publish-page-changes.js';

/**
 * The parts of a domain that every process needs. Its registry exports it, and `shared/domains.ts` lists all domains.
 */
export interface Domain {
  readonly name: string;
  readonly entities: readonly EntitySchema[];
  /** Each gets a queue of its name when the database is migrated. */
  readonly jobKinds: readonly JobKind<object>[];
  /** Notified of events in this domain and the domains below it, in this order. */
  readonly subscribers: readonly Subscriber[];
  /** What of pages its events change. */
  readonly pageChanges?: PageChangesOf;
  /** What texts may refer to. */
  readonly references?: readonly ReferenceSource[];
  /** Its tables of tokens. */
  readonly tokenSources?: readonly TokenSource[];
  /** Find the caller that a user name and a secret identify together. */
  readonly basicReaders?: readonly BasicReader[];
}

export const getEntities = (domains: readonly Domain[]): EntitySchema[] => domains.flatMap(({ entities }) => entities);

export const getJobKinds = (domains: readonly Domain[]): JobKind<object>[] =>
  domains.flatMap(({ jobKinds }) => jobKinds);

export const getTokenSources = (domains: readonly Domain[]): TokenSource[] =>
  domains.flatMap(({ tokenSources = [] }) => tokenSources);

export const getBasicReaders = (domains: readonly Domain[]): BasicReader[] =>
  domains.flatMap(({ basicReaders = [] }) => basicReaders);
