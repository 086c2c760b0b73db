import { issueShape } from '../../../shared/planning/issues/issue.shape.js';
import { listMilestoneIssues } from '../../../shared/planning/issues/milestone-issues.operations.js';
import { containerRoutes } from '../../core/container-routes.js';
import { get } from '../../core/routes.js';

export default containerRoutes('/milestones/:milestone_id/issues', listMilestoneIssues, (list) => [
  get('/', list, { present: issueShape, paginate: 'offset' }),
]);
