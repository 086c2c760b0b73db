import type { ResolverClass } from '../core/graphql/requests/engine.js';
import { MetadataResolver } from './metadata/metadata.graphql.js';
import { QueueJobMutations } from './queue-jobs/queue-jobs.graphql.js';

/** What GraphQL serves of this domain. */
export const instanceResolvers: readonly ResolverClass[] = [MetadataResolver, QueueJobMutations];
