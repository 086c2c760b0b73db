/** Counts steps of work that is done with what users wrote, so that it ends however much they wrote. */
export class WorkBudget {
  constructor(private left: number) {}

  /** Takes so many steps. @returns false once there are none left */
  spend(steps: number): boolean {
    this.left -= steps;
    return this.left >= 0;
  }
}
