import { Field, ObjectType } from 'type-graphql';
import type { DetailedStatus } from '../../../shared/ci/pipelines/detailed-status.js';

/** How a pipeline or a part of it is displayed. Nothing can be started from here, so it offers no action. */
@ObjectType('DetailedStatus', { description: 'Detailed status for display.' })
export class DetailedStatusType {
  /** @param owner id of what has the status */
  constructor(
    private readonly owner: number,
    private readonly status: DetailedStatus,
  ) {}

  @Field(() => String, { description: 'ID of the status.' })
  get id(): string {
    return `${this.status.group}-${this.owner}`;
  }

  @Field(() => String, { nullable: true, description: 'Group of the status.' })
  get group(): string {
    return this.status.group;
  }

  @Field(() => String, { nullable: true, description: 'Name of the icon.' })
  get icon(): string {
    return this.status.icon;
  }

  @Field(() => String, { nullable: true, description: 'Label of the status.' })
  get label(): string {
    return this.status.label;
  }

  @Field(() => String, { nullable: true, description: 'Name of the status.' })
  get name(): string {
    return this.status.group.toUpperCase();
  }

  @Field(() => String, { nullable: true, description: 'Text of the status.' })
  get text(): string {
    return this.status.text;
  }

  @Field(() => String, { nullable: true, description: 'Tooltip of the status.' })
  get tooltip(): string {
    return this.status.tooltip;
  }

  @Field(() => String, { nullable: true, description: 'Path of the favicon.' })
  get favicon(): string {
    return this.status.favicon;
  }

  @Field(() => Boolean, { nullable: true, description: 'Indicates there are details to display.' })
  get hasDetails(): boolean {
    return this.status.has_details;
  }

  @Field(() => String, { nullable: true, description: 'Path of the details.' })
  get detailsPath(): string | null {
    return this.status.details_path;
  }
}
