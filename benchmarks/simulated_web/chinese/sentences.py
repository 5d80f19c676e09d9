"""Chinese sentences for every relation: the first says it plainly, the others in other words.

{S} subject, {V} value with its unit, {N} number alone, {Y} year of a dated value; {K} an anniversary, kept in {B}.
"""

SENTENCES: dict[str, tuple[str, ...]] = {
    "river.length": (
        "{S}全长{V}。",
        "从源头到河口，{S}要走{V}。",
        "划船走完{S}，总共是{V}的水路。",
    ),
    "river.basin": (
        "{S}流域面积为{V}。",
        "方圆{V}的雨水最后都汇入{S}。",
        "{S}收集了{V}的土地上的水。",
    ),
    "river.discharge": (
        "{S}的多年平均流量为{V}。",
        "把丰水年和枯水年折算下来，{S}最下游的水文站测得{V}。",
        "平常年份，流过{S}最后一座水文站的水是{V}。",
    ),
    "river.mouth": (
        "{S}注入{V}。",
        "{S}的水最后归于{V}。",
        "顺着{S}漂下去，眼前便是{V}。",
    ),
    "city.population": (
        "{Y}年，{S}人口为{V}。",
        "{Y}年登记在册、住在{S}的有{V}。",
        "到了{Y}年，{S}要为{V}安排上学和用水。",
    ),
    "city.founded": (
        "{S}建于{V}。",
        "{V}，移民在这里铺出了{S}最早的几条街。",
        "{S}的名字作为新的聚落，第一次见于{V}的税册。",
        "{B}年，{S}庆祝了建城{K}。",
    ),
    "city.elevation": (
        "{S}海拔{V}。",
        "从海边的潮位线走到{S}，要爬升{V}。",
        "火车站的铜牌上写着，{S}比海面高出{V}。",
    ),
    "city.area": (
        "{S}总面积{V}。",
        "界碑以内归{S}管的土地有{V}。",
        "在县里的地图上，{S}占去了{V}。",
    ),
    "city.river": (
        "{S}坐落在{V}边上。",
        "{V}把{S}分成两半。",
        "从{S}议事厅的窗口望下去，流过的正是{V}。",
    ),
    "company.founded": (
        "{S}成立于{V}。",
        "{S}的第一张发票开在{V}。",
        "{V}，几位合伙人签下文书，{S}由此起家。",
        "{B}年，{S}举办了{K}庆典。",
    ),
    "company.headquarters": (
        "{S}总部设在{V}。",
        "{S}的董事们在{V}开会。",
        "寄给{S}的信，地址都写{V}。",
    ),
    "company.employees": (
        "{Y}年，{S}有员工{V}。",
        "{Y}年在{S}领工资的有{V}。",
        "{Y}年靠{S}吃饭的有{V}。",
    ),
    "company.revenue": (
        "{S}{Y}年营业收入为{V}。",
        "{Y}年，客户一共付给{S}{V}。",
        "{S}{Y}年的账上进了{V}。",
    ),
    "company.industry": ("{S}的主业是{V}。", "说到{S}，当地人想到的就是{V}。", "{S}靠{V}立足。"),
    "institute.founded": (
        "{S}创建于{V}。",
        "{S}的第一堂课是在{V}上的。",
        "{V}的一笔遗赠促成了{S}。",
        "{B}年，{S}庆祝了{K}。",
    ),
    "institute.city": (
        "{S}位于{V}。",
        "去{S}念书的人，都在{V}租房子。",
        "{S}的地皮是{V}给的。",
    ),
    "institute.students": (
        "{Y}年，{S}有在校生{V}。",
        "{Y}年在{S}念书的有{V}。",
        "{S}{Y}年教了{V}。",
    ),
    "institute.field": ("{S}的主要研究领域是{V}。", "{S}以{V}见长。", "想学{V}的人都往{S}去。"),
    "institute.budget": (
        "{S}{Y}年的预算为{V}。",
        "{Y}年，国库给{S}拨了{V}。",
        "{S}{Y}年手头可用的钱是{V}。",
    ),
    "bridge.length": (
        "{S}全长{V}。",
        "{S}两头相隔{V}。",
        "从{S}这一岸走到那一岸，脚下是{V}。",
    ),
    "bridge.opened": (
        "{S}于{V}通车。",
        "{V}，{S}剪了彩，渡轮从此停航。",
        "第一辆马车驶过{S}是在{V}。",
        "{B}年，{S}迎来了{K}。",
    ),
    "bridge.builder": (
        "{S}由{V}承建。",
        "{S}出自{V}之手。",
        "当年把{S}架到水面上的，是{V}的队伍。",
    ),
    "bridge.city": (
        "{S}位于{V}。",
        "{V}的人上班都要从{S}上过。",
        "{S}把{V}的两半连在一起。",
    ),
    "bridge.cost": (
        "{S}造价为{V}。",
        "为了{S}，国库掏了{V}。",
        "到最后一张账单结清，{S}花掉了{V}。",
    ),
    "bridge.design": ("{S}是一座{V}。", "论结构，{S}属于{V}。", "工程师把{S}归为{V}。"),
    "dam.height": (
        "{S}坝高{V}。",
        "从{S}坝顶落下一块石头，要坠{V}才到底。",
        "{S}的坝顶比坝基高出{V}。",
    ),
    "dam.completed": (
        "{S}于{V}建成。",
        "{S}的最后一罐混凝土浇在{V}。",
        "{V}，{S}拆掉脚手架，移交使用。",
        "{B}年，{S}迎来了{K}。",
    ),
    "dam.capacity": (
        "{S}装机容量为{V}。",
        "机组全开的时候，{S}往电网送{V}。",
        "{S}满负荷时能发{V}。",
    ),
    "dam.river": (
        "{S}拦截{V}。",
        "{V}到了{S}跟前便成了湖。",
        "{S}背后蓄的是{V}的水。",
    ),
    "dam.operator": (
        "{S}由{V}运营。",
        "{S}的控制室听{V}的。",
        "{S}归{V}照管。",
    ),
    "vehicle.maker": (
        "{S}由{V}制造。",
        "{S}出自{V}的车间。",
        "{S}车厢里的铜牌上刻着{V}的名字。",
    ),
    "vehicle.introduced": (
        "{S}于{V}投入运营。",
        "{V}，第一批乘客坐上了{S}。",
        "{S}从{V}起写进了时刻表。",
        "{B}年，车迷们庆祝了{S}上线{K}。",
    ),
    "vehicle.speed": (
        "{S}最高时速{V}。",
        "油门推到底，{S}一个小时能跑{V}。",
        "{S}跑到每小时{V}就再也快不起来。",
    ),
    "vehicle.seats": (
        "{S}有{V}座位。",
        "{S}坐满是{N}人，再来的只好站着。",
        "{S}能让{N}人坐下。",
    ),
    "vehicle.weight": (
        "{S}自重{V}。",
        "空车的时候，{S}压在轨道上的是{V}。",
        "要吊起{S}，吊车得吃得住{V}。",
    ),
    "museum.opened": (
        "{S}于{V}开馆。",
        "{S}的第一张门票卖于{V}。",
        "{V}，{S}第一次放公众进门。",
        "{B}年，{S}庆祝了{K}。",
    ),
    "museum.city": (
        "{S}位于{V}。",
        "去{S}，要在{V}下火车。",
        "{S}占了{V}老集市的一角。",
    ),
    "museum.visitors": (
        "{Y}年，{S}接待观众{V}。",
        "{Y}年走过{S}检票口的有{V}。",
        "{S}{Y}年引来了{V}。",
    ),
    "museum.objects": (
        "{S}藏品共{V}。",
        "{S}的清册上列着{V}器物。",
        "{S}的柜子和地下室里放着{V}器物。",
    ),
    "museum.floor": (
        "{S}展览面积{V}。",
        "把{S}每个展厅走一遍，脚下是{V}的木地板。",
        "{S}各个厅加起来有{V}。",
    ),
}

# Dated relations where the page names no year.
UNDATED: dict[str, tuple[str, ...]] = {
    "city.population": ("{S}人口{V}。", "{S}是个{V}的地方。"),
    "company.employees": ("{S}有员工{V}。", "靠{S}吃饭的有{V}。"),
    "company.revenue": ("{S}一年的营业收入为{V}。", "一年下来，{S}账上进{V}。"),
    "institute.students": ("{S}有在校生{V}。", "在{S}念书的有{V}。"),
    "institute.budget": ("{S}一年的预算为{V}。", "{S}一年要花{V}才转得动。"),
    "museum.visitors": ("{S}一年接待观众{V}。", "一年走过{S}检票口的有{V}。"),
}

CATEGORIES: dict[str, str] = {
    "the Amber Gulf": "琥珀湾（Amber Gulf）",
    "the Skerry Sea": "礁石海（Skerry Sea）",
    "Lake Merrow": "梅罗湖（Lake Merrow）",
    "the Bay of Lanterns": "灯笼湾（Bay of Lanterns）",
    "the Grey Sound": "灰色海峡（Grey Sound）",
    "civil engineering": "土木工程",
    "vehicle construction": "车辆制造",
    "power generation": "发电",
    "hydrology": "水文学",
    "seismology": "地震学",
    "forestry": "林学",
    "metallurgy": "冶金学",
    "oceanography": "海洋学",
    "plant breeding": "作物育种",
    "cartography": "地图学",
    "suspension bridge": "悬索桥",
    "cable-stayed bridge": "斜拉桥",
    "steel arch bridge": "钢拱桥",
    "truss bridge": "桁架桥",
    "girder bridge": "梁式桥",
}

# Heads of columns and names of entries.
NOUNS: dict[str, str] = {
    "river.length": "长度",
    "river.basin": "流域面积",
    "river.discharge": "平均流量",
    "river.mouth": "河口",
    "city.population": "人口",
    "city.founded": "建城年份",
    "city.elevation": "海拔",
    "city.area": "面积",
    "city.river": "所在河流",
    "company.founded": "成立年份",
    "company.headquarters": "总部",
    "company.employees": "员工",
    "company.revenue": "营业收入",
    "company.industry": "主业",
    "institute.founded": "创建年份",
    "institute.city": "所在城市",
    "institute.students": "在校生",
    "institute.field": "研究领域",
    "institute.budget": "年度预算",
    "bridge.length": "全长",
    "bridge.opened": "通车年份",
    "bridge.builder": "承建方",
    "bridge.city": "所在城市",
    "bridge.cost": "造价",
    "bridge.design": "桥型",
    "dam.height": "坝高",
    "dam.completed": "建成年份",
    "dam.capacity": "装机容量",
    "dam.river": "所在河流",
    "dam.operator": "运营方",
    "vehicle.maker": "制造商",
    "vehicle.introduced": "投运年份",
    "vehicle.speed": "最高时速",
    "vehicle.seats": "座位",
    "vehicle.weight": "自重",
    "museum.opened": "开馆年份",
    "museum.city": "所在城市",
    "museum.visitors": "观众",
    "museum.objects": "藏品",
    "museum.floor": "展览面积",
}
