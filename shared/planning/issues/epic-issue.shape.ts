import { out, shape } from '../../core/operations/shape.js';
import type { Load } from '../../core/context/loads.js';
import { epicShape } from '../epics/epic.shape.js';
import { issueLoads, issueShape } from './issue.shape.js';
import type { EpicIssueRecord, ListedEpicIssue } from './epic-issue.entity.js';

/** An issue in an epic's list: all that issues show, and where it stands. */
export const listedEpicIssueShape = shape<ListedEpicIssue>(
  'EpicIssue',
  {
    ...issueShape.fields,
    epic_issue_id: out.integer((issue) => issue.epic_issue_id),
    relative_position: out.integer((issue) => issue.epic_position),
  },
  { loads: issueLoads },
);

/** What both show beside their records. */
const ofBoth: Load<EpicIssueRecord> = {
  of: () => undefined,
  put: () => undefined,
  async fill(ctx, records) {
    await epicShape.load(
      ctx,
      records.map(({ epic }) => epic),
    );
    await issueShape.load(
      ctx,
      records.map(({ issue }) => issue),
    );
  },
};

/** That an issue is in an epic, as adding and removing answer it. */
export const epicIssueShape = shape<EpicIssueRecord>(
  'EpicIssueLink',
  {
    id: out.integer((record) => record.id),
    epic: out.record(epicShape, (record) => record.epic),
    issue: out.record(issueShape, (record) => record.issue),
    relative_position: out.integer((record) => record.relative_position),
  },
  { loads: [ofBoth] },
);
