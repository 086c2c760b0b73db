import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Environment } from '../environments/environment.entity.js';
import type { Deployment } from './deployment.entity.js';

/** A deployment with its project, its environment and who made it. */
export interface DeploymentRecord extends Deployment {
  project: ProjectRecord;
  environment: Environment;
  user: UserSummary | null;
}
