import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../projects/project.entity.js';

/** A word that projects are found by. */
export const Topic = defineEntity({
  name: 'Topic',
  tableName: 'topics',
  properties: {
    id: id(),
    /** Unique, whatever its case. */
    name: p.string(),
    title: p.string(),
    description: p.string().nullable(),
    /** Maintained by the database as projects gain and lose the topic. */
    total_projects_count: p.integer(),
    /** Of those, how many everybody sees. */
    public_projects_count: p.integer(),
    /** Name of the picture's file. */
    avatar: p.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Topic = InferEntity<typeof Topic>;

/** That a project has a topic. */
export const ProjectTopic = defineEntity({
  name: 'ProjectTopic',
  tableName: 'project_topics',
  properties: {
    id: id(),
    project_id: relation(Project),
    topic_id: relation(Topic),
    /** Whether the project is public; maintained by the database. */
    public: p.boolean(),
  },
});
export type ProjectTopic = InferEntity<typeof ProjectTopic>;
