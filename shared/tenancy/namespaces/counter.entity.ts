import { defineEntity, p, relation, reference } from '../../core/database/entity.js';
import { Namespace } from './namespace.entity.js';

/** The last number that was given to a kind of records in a group. */
export const NamespaceCounter = defineEntity({
  name: 'NamespaceCounter',
  tableName: 'namespace_counters',
  properties: {
    namespace_id: relation(Namespace).primary(),
    kind: p.string().primary(),
    last_value: p.bigint('number'),
  },
});

/** The last number that was given to a kind of records in a project. */
export const ProjectCounter = defineEntity({
  name: 'ProjectCounter',
  tableName: 'project_counters',
  properties: {
    project_id: reference().primary(),
    kind: p.string().primary(),
    last_value: p.bigint('number'),
  },
});
