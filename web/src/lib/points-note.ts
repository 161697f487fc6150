/** Said wherever points are sold: nothing takes them yet. */
export const POINTS_NOT_YET = '大模型解读尚未开放，现在没有需要扣点的功能；点数不过期，可以先存着。';
