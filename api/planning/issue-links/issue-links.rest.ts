import {
  createLinkOfIssue,
  deleteIssueLink,
  getIssueLink,
  listIssueLinks,
} from '../../../shared/planning/issue-links/issue-link.operations.js';
import { issueLinkShape, linkedIssueShape } from '../../../shared/planning/issue-links/issue-link.shape.js';
import { del, get, post } from '../../core/routes.js';

const LINKS = '/projects/:id/issues/:issue_iid/links';

export default [
  get(LINKS, listIssueLinks, { present: linkedIssueShape, paginate: 'none' }),
  post(LINKS, createLinkOfIssue, { present: issueLinkShape, status: 201 }),
  get(`${LINKS}/:issue_link_id`, getIssueLink, { present: issueLinkShape }),
  del(`${LINKS}/:issue_link_id`, deleteIssueLink, { present: issueLinkShape, status: 200 }),
];
