/** Why a job ended early. */
class JobEnd extends Error {
  override get name() {
    return this.constructor.name;
  }
}
export class JobCancelled extends JobEnd {}
export class JobTaken extends JobEnd {}
export class JobTimedOut extends JobEnd {}
export class WorkerStopping extends JobEnd {}
