// Pages made of stored snapshots: they need the rules of comparisons, which a server loads only in its job thread.

export { type ComparePageData, comparePage } from './pages/compare.ts';
export { type HistoryPageData, historyPage } from './pages/history.ts';
export { type MachinePageData, machinePage, type SnapshotChange } from './pages/machine.ts';
export { type MatrixPageData, matrixPage } from './pages/matrix.ts';
export { type RunAround, type RunPageData, runPage } from './pages/run.ts';
export { type RunsPageData, runsPage } from './pages/runs.ts';
export { type SearchHit, type SearchPageData, type SearchResults, searchPage } from './pages/search.ts';
export { type SharedContent, sharePage } from './pages/share.ts';
export { type SnapshotPageData, snapshotPage } from './pages/snapshot.ts';
export { type WhyPageData, whyPage } from './pages/why.ts';
