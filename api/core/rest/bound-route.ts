import type { z } from 'zod';
import type { Operation } from '../../../shared/core/operations/operation.js';
import { keysetFields, pageFields } from '../paging.js';
import type { RestRoute } from '../routes.js';

/** A route with what can be known of it before any request. */
export interface BoundRoute extends RestRoute {
  /** Parameters that may be uploaded files. */
  fileNames: readonly string[];
}

/** Declared with `upload()`. */
function fileNamesOf(operation: RestRoute['operation']): string[] {
  return Object.entries(operation.params.shape)
    .filter(([, field]) => (field as z.ZodType).meta()?.format === 'binary')
    .map(([name]) => name);
}

/** A paged route checks `page` and the like together with the operation's own parameters. */
function withPaging({ operation, options }: RestRoute): Operation {
  if (options.paginate !== 'offset' && options.paginate !== 'keyset') return operation;
  const fields = options.paginate === 'keyset' ? { ...pageFields, ...keysetFields } : pageFields;
  return { ...operation, params: operation.params.extend(fields) as Operation['params'] };
}

/** Prepares a route for serving. */
export function bindRoute(route: RestRoute): BoundRoute {
  return { ...route, operation: withPaging(route), fileNames: fileNamesOf(route.operation) };
}
