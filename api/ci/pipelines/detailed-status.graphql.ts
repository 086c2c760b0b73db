import { Field, ObjectType } from 'type-graphql';
import type { DetailedStatus } from '../../../shared/ci/pipelines/detailed-status.js';
import { RecordField } from '../../core/graphql/records.js';

/** How a pipeline or a part of it is displayed. Nothing can be started from here, so it offers no action. */
@ObjectType('DetailedStatus', { description: 'Detailed status for display.' })
export class DetailedStatusType {
  /** @param owner id of what has the status */
  constructor(
    private readonly owner: number,
    readonly record: DetailedStatus,
  ) {}

  @Field(() => String, { description: 'ID of the status.' })
  get id(): string {
    return `${this.record.group}-${this.owner}`;
  }

  @RecordField(() => String, { nullable: true, description: 'Group of the status.' })
  declare readonly group: string;

  @RecordField(() => String, { nullable: true, description: 'Name of the icon.' })
  declare readonly icon: string;

  @RecordField(() => String, { nullable: true, description: 'Label of the status.' })
  declare readonly label: string;

  @Field(() => String, { nullable: true, description: 'Name of the status.' })
  get name(): string {
    return this.record.group.toUpperCase();
  }

  @RecordField(() => String, { nullable: true, description: 'Text of the status.' })
  declare readonly text: string;

  @RecordField(() => String, { nullable: true, description: 'Tooltip of the status.' })
  declare readonly tooltip: string;

  @RecordField(() => String, { nullable: true, description: 'Path of the favicon.' })
  declare readonly favicon: string;

  @RecordField(() => Boolean, { nullable: true, description: 'Indicates there are details to display.' })
  declare readonly hasDetails: boolean;

  @RecordField(() => String, { nullable: true, description: 'Path of the details.' })
  declare readonly detailsPath: string | null;
}
