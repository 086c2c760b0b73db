import type { ResolverClass } from '../core/graphql/engine.js';
import { MetadataResolver } from './metadata/metadata.graphql.js';

/** What GraphQL serves of this domain. */
export const instanceResolvers: readonly ResolverClass[] = [MetadataResolver];
