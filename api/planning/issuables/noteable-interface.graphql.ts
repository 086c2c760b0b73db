import { InterfaceType } from 'type-graphql';
import type { GraphqlRequest } from '../../core/graphql/request.js';

/**
 * What all types that can be commented on have in common (graphql.md section 5.5). Its fields are added where notes
 * are known: a record knows nothing of what is said about it.
 */
@InterfaceType('NoteableInterface', { description: 'Record that can be commented on.' })
export abstract class NoteableInterface {
  abstract readonly request: GraphqlRequest;
}
