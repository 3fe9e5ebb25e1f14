/* What the page knows of the API. The server's own description is at /schema/openapi.json. */

export interface Progress {
  done: number;
  total: number | null;
  note: string;
}

export type Status = "queued" | "running" | "succeeded" | "failed" | "cancelled";

export interface Item {
  id: string;
  revision: number;
  kind: string;
  status: Status;
  storageConfigId: string | null;
  requestedBy: string | null;
  requestedAt: string;
  runAfter: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  updatedAt: string;
  leaseUntil: string | null;
  cancelRequestedAt: string | null;
  claimedBy: string | null;
  attempt: number;
  stalls: number;
  retries: number;
  stallLimit: number;
  maxRetries: number;
  progress: Progress;
  result: Record<string, unknown> | null;
  partial: boolean;
  error: string | null;
  errorCode: string | null;
  waitReason: string | null;
  cancellable: boolean;
}

export interface Attempt {
  attempt: number;
  claimedBy: string;
  startedAt: string;
  endedAt: string;
  how: string;
  error: string | null;
  errorCode: string | null;
}

export interface Detail extends Item {
  payload: unknown;
  attempts: Attempt[];
}

export interface Counts {
  byStatus: Record<string, number>;
  byKind?: Record<string, Record<Status, number>>;
  oldestWaitingAt: string | null;
}

/** The paces of the install, as the first event of the stream tells them. */
export interface Hello {
  keepAliveSeconds: number;
  heartbeatSeconds: number;
  retentionDays: number;
  uiVersion: string;
  serverTime: string;
}

export interface Library {
  id: string;
  userId: string;
  owner: string;
  isActive: boolean;
  createdAt: string;
}

/** One thing that a sweep has found; nobody knows when a missing file was modified. */
export interface Finding {
  id: string;
  what: string;
  path: string;
  size: number;
  modifiedAt: string | null;
  storageConfigId: string;
}

/** One look at how far a run was. */
export interface Sample {
  at: number;
  done: number;
}

/** What the server answered; status 0 is no answer at all. */
export interface Answer {
  status: number;
  body: any;
  text: string;
  headers: Headers;
}
