import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Environment } from './environment.entity.js';

/** An environment with its project: what its policy asks. */
export interface EnvironmentRecord extends Environment {
  project: ProjectRecord;
}
