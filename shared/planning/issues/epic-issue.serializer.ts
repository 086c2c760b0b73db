import { out, serializer } from '../../core/operations/serializer.js';
import type { Load } from '../../core/context/loads.js';
import { epicSerializer } from '../epics/epic.serializer.js';
import { issueLoads, issueSerializer } from './issue.serializer.js';
import type { EpicIssueRecord, ListedEpicIssue } from './epic-issue.entity.js';

/** An issue in an epic's list: all fields of issues, plus its position. */
export const listedEpicIssueSerializer = serializer<ListedEpicIssue>(
  'EpicIssue',
  {
    ...issueSerializer.fields,
    epic_issue_id: out.integer((issue) => issue.epic_issue_id),
    relative_position: out.integer((issue) => issue.epic_position),
  },
  { loads: issueLoads },
);

/** Data that both show in addition to their records. */
const ofBoth: Load<EpicIssueRecord> = {
  of: () => undefined,
  put: () => undefined,
  async fill(ctx, records) {
    await epicSerializer.load(
      ctx,
      records.map(({ epic }) => epic),
    );
    await issueSerializer.load(
      ctx,
      records.map(({ issue }) => issue),
    );
  },
};

/** That an issue is in an epic, as adding and removing answer it. */
export const epicIssueSerializer = serializer<EpicIssueRecord>(
  'EpicIssueLink',
  {
    id: out.integer((record) => record.id),
    epic: out.record(epicSerializer, (record) => record.epic),
    issue: out.record(issueSerializer, (record) => record.issue),
    relative_position: out.integer((record) => record.relative_position),
  },
  { loads: [ofBoth] },
);
