/**
 * How many approvals something needs, as the rule of any approver that the public API shows for it. There is no other
 * kind, so it has the id of what it belongs to.
 */
export interface ApprovalRule {
  readonly id: number;
  readonly approvals_required: number;
}
