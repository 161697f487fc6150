/** Whether packages of points are shown among the memberships. */
export const POINTS_USABLE: boolean = false;

/** Said wherever points are sold: what takes them depends on whether a model is configured. */
export const POINTS_USE = '点数只用于报告页的 AI 解读，每次 1 点。购买前请先看报告页是否提供；规则解读免费。';
