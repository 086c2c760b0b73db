import type { IssuesLocation } from '../../../app/routing/addresses/issues.js';
import { IssueList } from './IssueList.js';
import { IssuePage } from './IssuePage.js';
import { NewIssuePage } from './NewIssuePage.js';

/** `/<project>/-/issues` and below: a project's issues, for whoever may see them, signed in or not. */
export default function Issues({ location: { path, issue } }: { location: IssuesLocation }) {
  if (issue === null) return <IssueList path={path} />;
  if (issue === 'new') return <NewIssuePage path={path} />;
  return <IssuePage key={issue} path={path} iid={issue} />;
}
