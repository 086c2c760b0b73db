import { InterfaceType } from 'type-graphql';
import type { GraphqlRequest } from '../../core/graphql/request.js';

/**
 * The common fields of all types with comments (graphql.md section 5.5). The notes domain adds its own fields, because
 * records do not depend on their notes.
 */
@InterfaceType('NoteableInterface', { description: 'Record that can be commented on.' })
export abstract class NoteableInterface {
  abstract readonly request: GraphqlRequest;
}
